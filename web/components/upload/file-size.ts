const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/**
 * Formats a size: 62914560 bytes as `63 MB`, 5120 bytes as `6 kB`.
 * It rounds up, so that a file above the maximum never seems to be within it.
 */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${number.format(Math.ceil(bytes / 100_000) / 10)} MB`;
}
