/** The order matters: the first match wins, and most User-Agent headers also name other browsers. */
const browsers: [RegExp, string][] = [
  [/Instagram/, 'Instagram'],
  [/FBAN|FBAV|FB_IAB/, 'Facebook'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const devices: [RegExp, string][] = [
  [/iPhone|iPod/, 'no iPhone'],
  [/iPad/, 'no iPad'],
  [/Android/, 'no Android'],
  [/CrOS/, 'no Chromebook'],
  [/Windows/, 'no Windows'],
  [/Macintosh|Mac OS X/, 'no Mac'],
  [/Linux/, 'no Linux'],
];

/** Derives a name such as `Chrome no Windows` from a User-Agent header. */
export function browserName(userAgent: string): string {
  const nameIn = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const parts = [nameIn(browsers) ?? 'Um navegador', nameIn(devices)];
  return parts.filter(Boolean).join(' ');
}
