package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Connection;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.exchange.Interrupts;
import org.beefs.honeybee.fuse.exchange.RecentCallers;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.honeybee.fuse.notification.NotificationWriter;
import org.beefs.honeybee.fuse.notification.Notifier;
import org.beefs.honeybee.fuse.notification.PageDropper;
import org.beefs.honeybee.fuse.notification.PendingReads;
import org.beefs.honeybee.fuse.operations.BackingFiles;
import org.beefs.honeybee.fuse.operations.Dispatcher;
import org.beefs.honeybee.fuse.operations.KernelState;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.reader.Reader;
import org.beefs.honeybee.fuse.reader.Rings;
import org.beefs.honeybee.mount.Callers;
import org.beefs.honeybee.mount.KernelMount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.OpenPlace;
import org.beefs.honeybee.mount.ProcCallers;
import org.beefs.honeybee.mount.RequestMeter;

/**
 * How a {@link FuseMount} is made: mounted, agreed on with the kernel, served, and then shown. What fails half-way
 * takes back what was done. For one mount; used by one thread.
 */
final class Mounting {
    private final Rings rings;
    private final FileSystem fileSystem;
    private final MountOptions options;
    private final Timers timers;
    private final Stage stage;
    private final RequestMeter meter = new RequestMeter();
    private final Connection connection;
    private final BufferPool buffers;

    /**
     * @param place an empty directory that nothing is mounted at; stays open until the mount is made
     * @param rings to serve it through, if there are some; they are closed when the mount ends or fails
     */
    Mounting(OpenPlace place, Rings rings, FileSystem fileSystem, MountOptions options, Timers timers) {
        this.rings = rings;
        this.fileSystem = fileSystem;
        this.options = options;
        this.timers = timers;
        this.stage = Stage.of(place);
        Clock clock = new SystemClock();
        Callers callers = new RecentCallers(new ProcCallers(clock), clock);
        this.connection = new Connection(callers, new Interrupts(callers, timers), meter);
        // One buffer for each reader, beside those that writes may hold; with rings there is a reader that gets no
        // writes.
        this.buffers = new BufferPool(options.readers() + options.writeBuffers() + (rings.isEmpty() ? 0 : 1));
    }

    /**
     * Answers when requests are being served.
     *
     * @throws IOException with a sentence for the user
     */
    FuseMount run() throws IOException {
        NewMount mounted = mountOnStage();
        KernelMount mount = mounted.mount();
        List<Device> devices = new ArrayList<>(List.of(mounted.device()));
        Negotiation.Agreement agreed;
        try {
            agreed = agree(mount, mounted.device());
            addReaders(devices);
        } catch (IOException | RuntimeException failure) {
            stage.undo();
            mount.release();
            devices.forEach(Device::release);
            rings.close();
            throw failure;
        }
        FuseMount served = new FuseMount(mount, connection, meter, options);
        try {
            serve(served, devices, agreed);
            served.awaitRings();
            stage.show();
        } catch (IOException | RuntimeException | OutOfMemoryError failure) {
            stage.undo(); // ends who serves already
            throw failure;
        }
        return served;
    }

    private NewMount mountOnStage() throws IOException {
        try {
            return stage.mount(options);
        } catch (IOException | RuntimeException failure) {
            stage.close();
            rings.close();
            throw failure;
        }
    }

    private Negotiation.Agreement agree(KernelMount mount, Device device) throws IOException {
        Negotiation.Agreement agreed = negotiate(mount, device);
        rings.requireTaken(agreed.has(Protocol.INIT_OVER_IO_URING));
        mount.setReadAhead(options.readAhead());
        return agreed;
    }

    private Negotiation.Agreement negotiate(KernelMount mount, Device device) throws IOException {
        RequestBuffer buffer = buffers.takeNow();
        if (buffer == null) {
            throw new IllegalStateException("a new pool has no buffer");
        }
        try {
            return new Negotiation(device, options, mount.ofRoot(), !rings.isEmpty(), buffer).run();
        } finally {
            buffers.give(buffer);
        }
    }

    /** Adds readers, with a descriptor for each; with the same one where the kernel gives no further ones. */
    private void addReaders(List<Device> devices) throws IOException {
        Device first = devices.getFirst();
        int readers = rings.isEmpty() ? options.readers() : 1;
        devices.addAll(first.cloned(readers - 1));
        while (devices.size() < readers) {
            first.hold();
            devices.add(first);
        }
    }

    private void serve(FuseMount served, List<Device> devices, Negotiation.Agreement agreed) {
        Device first = devices.getFirst();
        KernelState kernel = kernelState(served, first, agreed);
        BackingFiles backings = new BackingFiles(fileSystem, first, meter, agreed.has(Protocol.INIT_PASSTHROUGH));
        Dispatcher dispatcher =
                new Dispatcher(stage.root(), fileSystem, kernel, connection.interrupts(), buffers, backings, meter);
        served.start(
                devices.stream()
                        .map(own -> new Reader(own, connection, dispatcher, buffers))
                        .toList(),
                rings.readers(first, connection, dispatcher, buffers));
    }

    private KernelState kernelState(FuseMount served, Device device, Negotiation.Agreement agreed) {
        NotificationWriter writer = new NotificationWriter(device);
        PendingReads reads = new PendingReads();
        PageDropper dropper = new PageDropper(writer, reads, timers);
        KeptPages pages = new KeptPages(dropper::drop);
        boolean canForgetEntries = agreed.minor() >= Protocol.EPOCHS_SINCE_MINOR && !options.keepMounts();
        Notifier notifier = new Notifier(writer, stage.root(), canForgetEntries, pages);
        KernelState kernel = new KernelState(fileSystem.attach(notifier), notifier, pages, reads);
        served.whenTerminated(() -> {
            kernel.lifetimes().close();
            notifier.close();
            dropper.close();
            writer.close();
        });
        return kernel;
    }
}
