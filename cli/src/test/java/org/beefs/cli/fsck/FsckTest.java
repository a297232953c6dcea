package org.beefs.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.beefs.cli.Main;
import org.beefs.cli.daemon.World;
import org.beefs.common.wire.CheckReplicas;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.CheckedInodes;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.ContentVerdict;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.InspectedReplicas;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Remedy;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks of a hive with one file, of which each desktop has a replica, and some machines go away meanwhile. */
class FsckTest {
    private static final ReplicaNumber REPLICA =
            ReplicaNumber.newBuilder().setInode(7).build();

    private final World world = World.open(null);
    private final List<FakePeer<?>> peers = new ArrayList<>();
    private final List<DesktopReport> desktops = new ArrayList<>();
    private final StringWriter out = new StringWriter();

    /** Entries that are wrong in each part. */
    private int damaged;

    /** Whether nothing can be told. */
    private boolean broken;

    private final StringWriter err = new StringWriter();

    /** When somebody goes away. */
    private enum End {
        NEVER,
        AT_INSPECTION,
        AT_CHECKSUMS,
        AT_SECOND_PART
    }

    @AfterEach
    void close() {
        peers.forEach(FakePeer::close);
        world.close();
    }

    @Test
    void shouldGoOnWithoutAHoneycombThatGoesAway() throws IOException {
        desktop("desk1", "same", End.AT_INSPECTION);
        desktop("desk2", "same", End.NEVER);

        assertThat(fsck(queenBee(End.NEVER), "--json")).isEqualTo(1);

        JsonNode report = JsonMapper.shared().readTree(out.toString());
        assertThat(report.get("complete").asBoolean()).isTrue();
        assertThat(report.get("inodes").asInt()).isEqualTo(2);
        assertThat(report.get("findings")).extracting(FsckTest::place).containsExactly("links ", "links ");
        assertThat(report.get("unchecked")).singleElement().asString().contains("desk1");
    }

    @Test
    void shouldCompareTheReplicasOfTheOthersWhenOneGoesAwayMeanwhile() throws IOException {
        desktop("desk1", "one", End.NEVER);
        desktop("desk2", "one", End.AT_CHECKSUMS);
        desktop("desk3", "other", End.NEVER);

        assertThat(fsck(queenBee(End.NEVER), "--content", "--json")).isEqualTo(5);

        JsonNode report = JsonMapper.shared().readTree(out.toString());
        assertThat(report.get("findings"))
                .extracting(FsckTest::place)
                .containsExactly("links ", "content desk3", "links ", "content desk3");
        assertThat(report.get("unchecked")).singleElement().asString().contains("desk2");
    }

    @Test
    void shouldTellWhatWasFoundWhenTheQueenBeeGoesAway() throws IOException {
        desktop("desk1", "same", End.NEVER);

        assertThat(fsck(queenBee(End.AT_SECOND_PART))).isEqualTo(8);

        assertThat(out.toString())
                .contains("A link count was wrong. [repaired]", "1 inode and 0 replicas checked by then: 1 found");
        assertThat(err.toString()).contains("the hive could not be checked to its end");
    }

    @Test
    void shouldNotSayThatNothingIsWrongWhenNothingWasChecked() throws IOException {
        assertThat(fsck(queenBee(End.AT_INSPECTION))).isEqualTo(8);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("the hive could not be checked: ");
    }

    @Test
    void shouldAskNothingOfAnotherHoneycombAtTheAddressOfOne() throws IOException {
        desktop("desk1", "same", End.NEVER);
        report("desk2", desktops.getFirst().getHoneycomb().getAddress());

        assertThat(fsck(queenBee(End.NEVER), "--json")).isEqualTo(1);

        JsonNode report = JsonMapper.shared().readTree(out.toString());
        assertThat(report.get("replicas").asInt()).isEqualTo(1);
        assertThat(report.get("unchecked"))
                .singleElement()
                .asString()
                .contains("desk2", "another honeycomb (of desk1) answers at ");
    }

    @Test
    void shouldGoOnWithoutADesktopWhoseAddressIsNone() throws IOException {
        desktop("desk1", "same", End.NEVER);
        report("desk2", "[desk2.example.org:7412]:7412");

        assertThat(fsck(queenBee(End.NEVER), "--json")).isEqualTo(1);

        JsonNode report = JsonMapper.shared().readTree(out.toString());
        assertThat(report.get("complete").asBoolean()).isTrue();
        assertThat(report.get("unchecked"))
                .singleElement()
                .asString()
                .contains("desk2", "'[desk2.example.org:7412]:7412' is not an address");
    }

    /** The findings of a hive that is badly damaged do not fit into a tool's memory. */
    @Test
    void shouldCountWhatItDoesNotListAny() throws IOException {
        damaged = Findings.MOST_LISTED;

        assertThat(fsck(queenBee(End.NEVER))).isEqualTo(5);

        assertThat(out.toString())
                .contains(
                        "1 more of the kind links. [repaired]\n",
                        (Findings.MOST_LISTED + 1) + " more of the kind entries. [left]\n",
                        "%d found, 2 repaired, %d left.".formatted(2 * damaged + 2, 2 * damaged));
        assertThat(out.toString().lines()).hasSizeBetween(Findings.MOST_LISTED, Findings.MOST_LISTED + 5);
    }

    @Test
    void shouldTellScriptsWhatItDoesNotList() throws IOException {
        damaged = Findings.MOST_LISTED;

        assertThat(fsck(queenBee(End.NEVER), "--json")).isEqualTo(5);

        JsonNode report = JsonMapper.shared().readTree(out.toString());
        assertThat(report.get("findings")).hasSize(Findings.MOST_LISTED);
        assertThat(report.get("unlisted"))
                .extracting(unlisted -> unlisted.get("kind").asString()
                        + " " + unlisted.get("remedy").asString()
                        + " " + unlisted.get("number").asLong())
                .containsExactlyInAnyOrder("entries left " + (Findings.MOST_LISTED + 1), "links repaired 1");
    }

    /** As when memory does not suffice: 1 would mean that all is well again. */
    @Test
    void shouldNotTakeADefectForARepair() throws IOException {
        broken = true;

        assertThat(fsck(queenBee(End.NEVER), "--json")).isEqualTo(8);

        assertThat(err.toString())
                .contains("the hive could not be checked to its end: java.lang.InternalError: of a test");
    }

    private static String place(JsonNode finding) {
        return finding.get("kind").asString() + " " + finding.get("desktop").asString();
    }

    private int fsck(String queenBee, String... options) {
        CommandLine beefs = Main.commandLine();
        beefs.setOut(new PrintWriter(broken ? new Defect() : out, true));
        beefs.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("fsck", "--queenbee", queenBee));
        arguments.addAll(List.of(options));
        return beefs.execute(arguments.toArray(String[]::new));
    }

    /** Each of the two parts tells of the file, and of a link count that was repaired. */
    private String queenBee(End end) throws IOException {
        return start(new FakePeer<>(
                world,
                "",
                QueenRequest.parser(),
                request -> queenReply(request, end).<MessageLite>map(QueenReply.Builder::build)));
    }

    private Optional<QueenReply.Builder> queenReply(QueenRequest request, End end) {
        QueenReply.Builder reply = QueenReply.newBuilder();
        return switch (request.getOperationCase()) {
            case HIVE_STATUS ->
                Optional.of(
                        reply.setHiveReport(HiveReport.newBuilder().setInodes(2).addAllDesktops(desktops)));
            case CHECK_INODES -> part(request.getCheckInodes().getFrom(), end).map(reply::setCheckedInodes);
            case CHECK_REPLICAS -> Optional.of(reply.setCheckedReplicas(judged(request.getCheckReplicas())));
            default -> Optional.empty();
        };
    }

    private Optional<CheckedInodes> part(int from, End end) {
        if (end == End.AT_INSPECTION || (end == End.AT_SECOND_PART && from > 0)) {
            return Optional.empty();
        }
        List<ByteString> uuids = desktops.stream()
                .map(desktop -> desktop.getHoneycomb().getUuid())
                .toList();
        return Optional.of(CheckedInodes.newBuilder()
                .setSeen(1)
                .setNext(1 - from)
                .addFindings(finding("links", "")
                        .setSentence("A link count was wrong")
                        .setRemedy(Remedy.REMEDY_DONE))
                .addAllFindings(
                        Collections.nCopies(damaged, finding("entries", "").build()))
                .addFiles(CheckedFile.newBuilder()
                        .setReplica(REPLICA)
                        .setSize(1)
                        .setVersion(1)
                        .addAllHoneycombs(uuids)
                        .addAllCurrentHoneycombs(uuids))
                .build());
    }

    private static CheckedReplicas judged(CheckReplicas asked) {
        CheckedReplicas.Builder judged = CheckedReplicas.newBuilder();
        for (ReplicaLook look : asked.getLooksList()) {
            if (look.getContent() != ContentVerdict.CONTENT_FINE) {
                judged.addFindings(finding("content", asked.getHoneycomb().toStringUtf8()));
            }
        }
        return judged.build();
    }

    private static Finding.Builder finding(String kind, String desktop) {
        return Finding.newBuilder().setKind(kind).setInode(7).setDesktop(desktop);
    }

    private void desktop(String name, String content, End end) throws IOException {
        String address = start(new FakePeer<>(
                world,
                name,
                DataRequest.parser(),
                request -> dataReply(request, content, end).<MessageLite>map(DataReply.Builder::build)));
        report(name, address);
    }

    private void report(String name, String address) {
        desktops.add(DesktopReport.newBuilder()
                .setDesktop(name)
                .setConnected(true)
                .setHoneycomb(HoneycombOffer.newBuilder()
                        .setUuid(ByteString.copyFromUtf8(name))
                        .setAddress(address))
                .build());
    }

    private static Optional<DataReply.Builder> dataReply(DataRequest request, String content, End end) {
        DataReply.Builder reply = DataReply.newBuilder();
        return switch (request.getOperationCase()) {
            case INSPECT_REPLICAS ->
                end == End.AT_INSPECTION
                        ? Optional.empty()
                        : Optional.of(reply.setInspectedReplicas(looks(request.getInspectReplicas())));
            case GET_CHECKSUMS ->
                end == End.AT_CHECKSUMS
                        ? Optional.empty()
                        : Optional.of(reply.setChecksums(ByteString.copyFromUtf8(content)));
            default -> Optional.empty();
        };
    }

    /** Its catalog has the one replica. */
    private static InspectedReplicas looks(InspectReplicas asked) {
        InspectedReplicas.Builder looks = InspectedReplicas.newBuilder();
        if (!asked.hasAfter()) {
            looks.addLooks(ReplicaLook.newBuilder().setReplica(REPLICA));
        }
        return looks.build();
    }

    private String start(FakePeer<?> peer) {
        peers.add(peer);
        return peer.address();
    }

    private static final class Defect extends Writer {
        @Override
        public void write(char[] text, int from, int length) {
            throw new InternalError("of a test");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
