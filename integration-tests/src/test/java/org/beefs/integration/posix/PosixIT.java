package org.beefs.integration.posix;

import org.beefs.integration.hive.InHive;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.Nested;

/** All topics on one hive. */
@InHive
@Requires(programs = {"python3", "setfacl", "getfacl"})
class PosixIT {
    @Nested
    class AccessControlListsIT extends AccessControlLists {}

    @Nested
    class ExtendedAttributesIT extends ExtendedAttributes {}

    @Nested
    class SetIdsAndGroupsIT extends SetIdsAndGroups {}

    @Nested
    class NamesAndLinksIT extends NamesAndLinks {}

    @Nested
    class ContentsIT extends Contents {}

    @Nested
    class TimesIT extends Times {}

    @Nested
    class ProgramsIT extends Programs {}
}
