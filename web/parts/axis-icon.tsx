import type { ReactNode } from 'react';
import type { Axis } from '#contract/axes.ts';

/** The icon of an axis, decorative: its name stands beside it. */
export function AxisIcon({ axis }: { axis: Axis }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {drawings[axis]}
    </svg>
  );
}

const drawings: Record<Axis, ReactNode> = {
  mind: (
    <>
      <circle cx="12" cy="9" r="4.8" />
      <path d="M3.5 16.5c2.1-1.8 4.3-1.8 6.4-.4s4.3 1.4 6.4 0 3.1-1.2 4.2-.3M6 20.2c1.6-1.2 3.1-1.2 4.6-.2s3 .9 4.6-.1 2-.7 2.8-.3" />
    </>
  ),
  move: (
    <>
      <circle cx="14.5" cy="5" r="2.2" />
      <path d="M4 19.5c4.5-.5 5.6-3.2 6.4-6.3.7-2.7 2.3-4 5.1-3.2M10.6 13c3 .3 4.9 1.6 5.2 6.5M6.5 10.5c1.2-1.6 3-2.2 5.8-1.6M15.5 10c1.2 1.3 2.6 1.8 4.5 1.7" />
    </>
  ),
  nutri: (
    <>
      <path d="M4 11.5h16c0 4.8-3.3 8-8 8s-8-3.2-8-8z" />
      <path d="M12 11.2c-.3-3.3 1.3-5.9 5-7 .5 3.6-1.2 6-5 7zM11 8.5C9.3 8 8.3 6.8 8 4.8c1.7.2 2.8 1 3.3 2.5" />
    </>
  ),
  values: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M15.8 8.2l-2.3 5.3-5.3 2.3 2.3-5.3z" />
    </>
  ),
  family: (
    <>
      <path d="M4.5 19.5v-5a3.5 3.5 0 0 1 7 0v5M11.5 19.5v-4a4 4 0 0 1 8 0v4" />
      <circle cx="8" cy="7.3" r="2.3" />
      <circle cx="15.5" cy="8.2" r="2" />
    </>
  ),
  career: (
    <>
      <rect x="3.8" y="7.8" width="16.4" height="11.4" rx="2.4" />
      <path d="M9 7.5V5.3h6v2.2M4 12.8h16M12 11.8v2" />
    </>
  ),
  fun: (
    <path d="M5 10.5c0-2.9 3.1-5 7-5s7 2.1 7 5c-2.3-1.2-4.7-1.2-7 0-2.3-1.2-4.7-1.2-7 0zM12 5.5V4M12 10.5v7.7a1.9 1.9 0 0 1-3.8 0" />
  ),
};
