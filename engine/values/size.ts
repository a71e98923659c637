const FACTORS: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** Parses a size such as `5MB` or `64KiB` to bytes. @throws Error for another format */
export function sizeBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text);
  const factor = match === null ? undefined : FACTORS[match[2]];
  if (match === null || factor === undefined) throw new Error(`'${text}' is not a size`);
  return Math.floor(Number(match[1]) * factor);
}
