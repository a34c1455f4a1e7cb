import type { Axis } from '#contract/axes.ts';
import { Icon, icon } from '../icons.tsx';

/* Lucide's icons, see web/components/icons.tsx. Only the pages with practices need them. */
export const AudioLines = icon('M2 10v3M6 6v11M10 3v18M14 8v7M18 5v13M22 10v3');
export const FileText = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M10 9H8M16 13H8M16 17H8',
);
export const Lock = icon(
  'M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM7 11V7a5 5 0 0 1 10 0v4',
);
export const ArrowLeft = icon('M19 12H5M12 19l-7-7 7-7');
export const Clock = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 6v6l4 2');
export const Copy = icon(
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
);
export const Printer = icon(
  'M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M6 9V3a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6M7 14h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1',
);
export const Moon = icon(
  'M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401',
);
export const ArrowUpRight = icon('M7 7h10v10M7 17 17 7');

/** The icon of an axis. It is decorative, because the name of the axis is next to it. */
export function AxisIcon({ axis }: { axis: Axis }) {
  return (
    <Icon>
      <path d={drawings[axis]} />
    </Icon>
  );
}

const drawings: Record<Axis, string> = {
  mind: 'M7.2 9a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0M3.5 16.5c2.1-1.8 4.3-1.8 6.4-.4s4.3 1.4 6.4 0 3.1-1.2 4.2-.3M6 20.2c1.6-1.2 3.1-1.2 4.6-.2s3 .9 4.6-.1 2-.7 2.8-.3',
  move: 'M12.3 5a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0M4 19.5c4.5-.5 5.6-3.2 6.4-6.3.7-2.7 2.3-4 5.1-3.2M10.6 13c3 .3 4.9 1.6 5.2 6.5M6.5 10.5c1.2-1.6 3-2.2 5.8-1.6M15.5 10c1.2 1.3 2.6 1.8 4.5 1.7',
  nutri:
    'M4 11.5h16c0 4.8-3.3 8-8 8s-8-3.2-8-8zM12 11.2c-.3-3.3 1.3-5.9 5-7 .5 3.6-1.2 6-5 7zM11 8.5C9.3 8 8.3 6.8 8 4.8c1.7.2 2.8 1 3.3 2.5',
  values: 'M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M15.8 8.2l-2.3 5.3-5.3 2.3 2.3-5.3z',
  family:
    'M4.5 19.5v-5a3.5 3.5 0 0 1 7 0v5M11.5 19.5v-4a4 4 0 0 1 8 0v4M5.7 7.3a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0M13.5 8.2a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  career:
    'M6.2 7.8h11.6a2.4 2.4 0 0 1 2.4 2.4v6.6a2.4 2.4 0 0 1-2.4 2.4h-11.6a2.4 2.4 0 0 1-2.4-2.4v-6.6a2.4 2.4 0 0 1 2.4-2.4zM9 7.5V5.3h6v2.2M4 12.8h16M12 11.8v2',
  fun: 'M5 10.5c0-2.9 3.1-5 7-5s7 2.1 7 5c-2.3-1.2-4.7-1.2-7 0-2.3-1.2-4.7-1.2-7 0zM12 5.5V4M12 10.5v7.7a1.9 1.9 0 0 1-3.8 0',
};
