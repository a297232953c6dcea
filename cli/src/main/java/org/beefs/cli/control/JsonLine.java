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

/** One JSON value per line, at most {@link #MAX_BYTES} long. */
final class JsonLine {
    static final int MAX_BYTES = 1 << 20;

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

    /** Fails with {@link UnknownException} for JSON of another version. */
    static <T> T read(SocketChannel channel, Class<T> type) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(8192);
        while (true) {
            if (channel.read(part.clear()) < 0) {
                throw new EOFException("the connection was closed");
            }
            line.write(part.array(), 0, part.position());
            if (part.array()[part.position() - 1] == '\n') {
                return parse(line.toByteArray(), type);
            } else if (line.size() > MAX_BYTES) {
                throw new IOException("a line of more than " + MAX_BYTES + " bytes");
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
