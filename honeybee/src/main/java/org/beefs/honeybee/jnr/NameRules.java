package org.beefs.honeybee.jnr;

import com.google.protobuf.ByteString;

/** How names of the hive, which may be any bytes, look on an operating system, and back. */
interface NameRules {
    /** Shows names as they are. */
    NameRules POSIX = new NameRules() {
        @Override
        public ByteString toHive(ByteString shown) {
            return shown;
        }

        @Override
        public ByteString toSystem(ByteString name) {
            return name;
        }
    };

    /** The hive's name for what the system shows. */
    ByteString toHive(ByteString shown);

    /** What the system shows for a name of the hive. */
    ByteString toSystem(ByteString name);
}
