/**
 * Formats a duration: `1 h 2 min 5 s`. A negative duration, which occurs when the clocks of the server and
 * the browser differ, becomes `0 s`.
 */
export function durationText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1_000));
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(whole / unit));
  const parts = [
    days && (days === 1 ? '1 dia' : `${days} dias`),
    hours && `${hours % 24} h`,
    minutes && `${minutes % 60} min`,
    `${whole % 60} s`,
  ];
  return parts.filter(Boolean).join(' ');
}
