const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/**
 * 62914560 bytes: `63 MB`; 5120 bytes: `6 kB`. Rounded up, so that what is too large never looks as if it were not.
 */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return `${number.format(Math.ceil(bytes / 100_000) / 10)} MB`;
}
