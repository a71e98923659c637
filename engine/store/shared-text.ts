/** Bytes that are kept for the next group; larger ones are made for one. */
const KEPT_BYTES = 2 ** 24;
/** Most bytes of a character of a string, in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Texts in memory that another thread reads too: nothing is copied on the way. Only one group at a time. */
export class SharedText {
  #kept: Buffer | null = null;

  /** @param texts each given as its lines @returns them as UTF-8, with line feeds between lines; until the next call */
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
    // Memory that is not written to costs nothing.
    return (this.#kept ??= Buffer.from(new SharedArrayBuffer(KEPT_BYTES)));
  }
}
