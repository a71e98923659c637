/** Size of the reused buffer, in bytes; for larger texts a new one is allocated. */
const KEPT_BYTES = 2 ** 24;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Encodes texts into memory shared with another thread, so that nothing is copied. The memory holds one group at a time. */
export class SharedText {
  #kept: Buffer | null = null;

  /** Encodes texts, each given as its lines. @returns UTF-8 with line feeds between the lines, valid until the next call */
  write(texts: readonly (readonly string[])[]): Uint8Array[] {
    let bytes = 0;
    for (const lines of texts) for (const line of lines) bytes += line.length * MAX_BYTES_PER_CHARACTER + 1;
    const buffer = this.#bufferOf(bytes);
    let at = 0;
    return texts.map((lines) => {
      const from = at;
      for (let i = 0; i < lines.length; i++) {
        if (i > 0) buffer[at++] = 10;
        at += buffer.write(lines[i], at);
      }
      return buffer.subarray(from, at);
    });
  }

  #bufferOf(size: number): Buffer {
    if (size > KEPT_BYTES) return Buffer.from(new SharedArrayBuffer(size));
    // The system allocates pages of the buffer only when they are used.
    return (this.#kept ??= Buffer.from(new SharedArrayBuffer(KEPT_BYTES)));
  }
}
