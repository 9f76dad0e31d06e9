/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk as named by control groups.
 *
 * @param name its major and minor number, {@code 254:0}
 */
public record BlockDevice(String name) {
  private static final Path DEVICES = Path.of("/sys/dev/block");

  /**
   * The disk that holds a folder: the whole disk, since the kernel does not limit partitions.
   *
   * @throws ControlGroupException if the folder is not on one disk
   */
  public static BlockDevice of(Path folder) {
    try {
      return of(((Number) Files.getAttribute(folder, "unix:dev")).longValue(), DEVICES);
    } catch (IOException | UnsupportedOperationException e) {
      throw new ControlGroupException(
          folder
              + " is not on a disk whose reads can be limited: make the checkout's folder .manx a"
              + " symbolic link to a folder on a local disk",
          e);
    }
  }

  /** The disk with a device number from {@code stat}. */
  static BlockDevice of(long number, Path devices) throws IOException {
    long major = (number >>> 8 & 0xfff) | (number >>> 32 & ~0xfffL);
    long minor = (number & 0xff) | (number >>> 12 & ~0xffL);
    Path device = devices.resolve(major + ":" + minor).toRealPath();
    Path disk = Files.exists(device.resolve("partition")) ? device.getParent() : device;
    return new BlockDevice(Files.readString(disk.resolve("dev")).strip());
  }
}
