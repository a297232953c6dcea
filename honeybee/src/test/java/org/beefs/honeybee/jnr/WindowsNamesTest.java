package org.beefs.honeybee.jnr;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsNamesTest {
    private final NameRules rules = new WindowsNames();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file", "README", "readme", "a b", "a.b.c", ".hidden", "console", "com", "com10", "com0", "lpt",
                "x.con", "été", ".", ".."
            })
    void shouldShowNamesAsTheyAreWherePossible(String name) {
        assertThat(shown(name)).isEqualTo(name);
        assertThat(meant(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a\\b, a\uf05cb",
                "a:b, a\uf03ab",
                "<>|?*, \uf03c\uf03e\uf07c\uf03f\uf02a",
                "say \"x\", say \uf022x\uf022",
                "dot., dot\uf02e",
                "dots.., dots.\uf02e",
                "con, co\uf06e",
                "NUL.txt, NU\uf04c.txt",
                "Com1, Com\uf031",
                "lpt9.tar.gz, lpt\uf039.tar.gz",
                "aux.c, au\uf078.c",
                "prn .x, pr\uf06e .x"
            })
    void shouldMoveWhatWindowsCannotHaveOutOfTheWay(String name, String shown) {
        assertThat(shown(name)).isEqualTo(shown);
        assertThat(meant(shown)).isEqualTo(name);
    }

    @Test
    void shouldMoveSpacesAtTheEndAndControlCharacters() {
        assertThat(shown("space ")).isEqualTo("space\uf020");
        assertThat(meant("space\uf020")).isEqualTo("space ");
        assertThat(shown("tab\tline\n")).isEqualTo("tab\uf009line\uf00a");
        assertThat(meant("tab\uf009line\uf00a")).isEqualTo("tab\tline\n");
    }

    @Test
    void shouldKeepPrivateCharactersThatStandForNothing() {
        assertThat(shown("a\uf041b")).isEqualTo("a\uf041b");
        assertThat(meant("a\uf041b")).isEqualTo("a\uf041b");
    }

    @Test
    void shouldKeepCaseApart() {
        assertThat(meant("Makefile")).isNotEqualTo(meant("makefile"));
    }

    @Test
    void shouldKeepBytesThatAreNoText() {
        ByteString bytes = ByteString.copyFrom(new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(rules.toSystem(bytes)).isEqualTo(bytes);
        assertThat(rules.toHive(bytes)).isEqualTo(bytes);
    }

    private String shown(String name) {
        return rules.toSystem(ByteString.copyFromUtf8(name)).toStringUtf8();
    }

    private String meant(String shown) {
        return rules.toHive(ByteString.copyFromUtf8(shown)).toStringUtf8();
    }
}
