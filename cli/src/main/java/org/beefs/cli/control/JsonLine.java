package org.beefs.cli.control;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** One JSON value per line. */
final class JsonLine {
    /** Bytes of a request. */
    static final int MOST_OF_REQUEST = 1 << 20;

    /** Bytes of an answer. The queen-bee's status has some 600 for each desktop, of which there may be 10,000. */
    static final int MOST_OF_ANSWER = 64 << 20;

    private static final ObjectMapper JSON = JsonMapper.shared();

    private JsonLine() {}

    static void write(SocketChannel channel, Object value) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes(JSON.writeValueAsBytes(value));
        line.write('\n');
        ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /**
     * Fails with {@link UnknownException} for JSON of another version.
     *
     * @param most bytes that the line may have
     */
    static <T> T read(SocketChannel channel, Class<T> type, int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(8192);
        while (true) {
            if (channel.read(part.clear()) < 0) {
                throw new EOFException("the connection was closed");
            }
            line.write(part.array(), 0, part.position());
            if (part.array()[part.position() - 1] == '\n') {
                return parse(line.toByteArray(), type);
            } else if (line.size() > most) {
                throw new IOException("a line of more than " + most + " bytes");
            }
        }
    }

    /** It is JSON, and means nothing to this version. */
    static final class UnknownException extends IOException {
        private static final long serialVersionUID = 1L;

        private UnknownException(DatabindException cause) {
            super("not known: " + cause.getOriginalMessage(), cause);
        }
    }

    private static <T> T parse(byte[] line, Class<T> type) throws IOException {
        try {
            return JSON.readValue(line, type);
        } catch (DatabindException e) {
            throw new UnknownException(e);
        } catch (JacksonException e) {
            throw new IOException("not understood: " + e.getOriginalMessage(), e);
        }
    }
}
