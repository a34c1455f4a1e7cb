const units = ['kB', 'MB', 'GB', 'TB'];

/** Returns a size in bytes as people read it: `1,2 MB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes / 1_000, 0];
  while (size >= 1_000 && unit < units.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return `${size.toLocaleString('pt-BR', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${units[unit]}`;
}
