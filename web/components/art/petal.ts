/**
 * The illustrations repeat one shape: the petal. A petal fills one triangle of a triangular tiling, and its
 * tip is at a corner of the triangle. Six petals whose tips meet form a hexaflex.
 */
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const short = (value: number) => Number(value.toFixed(2)).toString();

/**
 * Draws the outline of a petal.
 * @param tip the position of the petal's tip
 * @param angle the direction from the tip, in degrees, clockwise from the right
 * @param scale the radius of the incircle of the petal's triangle
 */
export function petalPath([tipX, tipY]: [number, number], angle: number, scale = 1): string {
  const gap = 0.065;
  const bluntness = 0.3;
  const outer = 1 - gap;
  const inner = bluntness;
  const innerCentre = 2 * (bluntness + gap);
  const slope = { x: Math.cos(radians(120)), y: Math.sin(radians(120)) };
  const turn = { cos: Math.cos(radians(angle)), sin: Math.sin(radians(angle)) };
  const corner = (centre: number, radius: number, side: number): [number, number] => {
    const x = (centre + radius * slope.x) * scale;
    const y = side * radius * slope.y * scale;
    return [x * turn.cos - y * turn.sin, x * turn.sin + y * turn.cos];
  };
  const points = [
    corner(innerCentre, inner, 1),
    corner(2, outer, 1),
    corner(2, outer, -1),
    corner(innerCentre, inner, -1),
  ] as const;
  // Use relative coordinates: petals with the same angle then have the same path text, which compresses well.
  const step = (from: readonly [number, number], to: readonly [number, number]) =>
    `${short(to[0] - from[0])} ${short(to[1] - from[1])}`;
  const [a, b, c, d] = points;
  const arc = (radius: number, large: 0 | 1) => `a${short(radius)} ${short(radius)} 0 ${large} 0 `;
  return (
    `M${short(tipX + a[0])} ${short(tipY + a[1])}l${step(a, b)}` +
    `${arc(outer * scale, 1)}${step(b, c)}l${step(c, d)}${arc(inner * scale, 0)}${step(d, a)}z`
  );
}

/** The six directions of a hexaflex, clockwise from the top. */
export const flowerAngles = [-90, -30, 30, 90, 150, 210] as const;

/** The six petals of a hexaflex of radius 3 around the origin, clockwise from the top. */
export const flowerPetals: readonly string[] = flowerAngles.map((angle) => petalPath([0, 0], angle));

/** Draws the outline of a hexaflex: six soft lobes that fill a box of `width` × `height`. */
export function rosettePath(width: number, height: number): string {
  const lobe = 0.732;
  const cusp = Math.cos(radians(30)) + Math.sqrt(lobe ** 2 - 0.25);
  const halfWidth = Math.cos(radians(30)) + lobe;
  const halfHeight = 1 + lobe;
  const x = (value: number) => short(((value + halfWidth) / (2 * halfWidth)) * width);
  const y = (value: number) => short(((value + halfHeight) / (2 * halfHeight)) * height);
  const arc = `A${short((lobe / (2 * halfWidth)) * width)} ${short((lobe / (2 * halfHeight)) * height)} 0 0 1 `;
  const corners = [0, 60, 120, 180, 240, 300, 360].map(
    (angle) => `${x(cusp * Math.cos(radians(angle)))} ${y(cusp * Math.sin(radians(angle)))}`,
  );
  return `M${corners[0]}${corners
    .slice(1)
    .map((corner) => arc + corner)
    .join('')}Z`;
}

/**
 * Draws the wave of Copacabana's pavement (calçadão).
 * @param bottom the y coordinate of the lower edge of a closed shape; without it, the wave is an open line
 */
export function wavePath(wave: {
  count: number;
  period: number;
  height: number;
  y: number;
  shift?: number;
  bottom?: number;
}): string {
  const { count, period, height, y, shift = 0, bottom } = wave;
  const half = (rise: number, smooth: boolean) =>
    `${smooth ? 's' : `c${short(period * 0.182)} 0 `}${short(period * 0.318)} ${short(rise)} ${short(period / 2)} ${short(rise)}`;
  const crests = `${half(height, false)}${half(-height, true)}`.repeat(count);
  return `M${short(-shift)} ${short(y)}${crests}${bottom === undefined ? '' : `V${short(bottom)}H${short(-shift)}Z`}`;
}
