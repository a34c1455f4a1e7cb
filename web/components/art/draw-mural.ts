import { flowerAngles, petalPath } from './petal.ts';

export type Tint = 'tone' | 'deep' | 'sage' | 'sand' | 'clay' | 'pale' | 'dim' | 'night';

/**
 * A point of the triangular tiling at which six petals meet. `tint` is one tint for all petals, or one tint
 * for each petal, clockwise from the top.
 */
export type Flower = {
  column: number;
  row: number;
  tint: Tint | readonly [Tint, Tint, Tint, Tint, Tint, Tint];
};

export type MuralPlan = {
  /** The length of a triangle's side, in units of the SVG's view box. */
  side: number;
  columns: number;
  rows: number;
  /** The seed of the random choices. The same seed always gives the same mural. */
  seed: number;
  flowers: readonly Flower[];
  /** The share of each tint among the petals that belong to no flower. */
  quiet: readonly [tint: Tint, share: number][];
  /** The share of triangles without a petal, among the triangles that belong to no flower. By default 0. */
  blank?: number;
  /**
   * A circle in which only flowers have petals. Its centre is a column and a row, and its radius a multiple
   * of `side`.
   */
  clearing?: { column: number; row: number; radius: number };
};

export type DrawnMural = { width: number; height: number; grout: string; petals: [Tint, string][] };

type Point = [number, number];

/**
 * Draws a mural of azulejo tiles: one petal per triangle, and flowers where six petals meet. All petals of
 * one tint form one path.
 */
export function drawMural(plan: MuralPlan): DrawnMural {
  const { side, columns, rows, blank = 0, clearing } = plan;
  const rowHeight = (side * Math.sqrt(3)) / 2;
  const width = columns * side;
  const height = rows * rowHeight;
  const random = sequence(plan.seed);
  const vertex = (column: number, row: number): Point => [
    (column + (Math.abs(row % 2) === 1 ? 0.5 : 0)) * side,
    row * rowHeight,
  ];
  const flowers = plan.flowers.map((flower) => ({ ...flower, at: vertex(flower.column, flower.row) }));
  const petals = new Map<Tint, string>();

  for (const triangle of trianglesOf(columns, rows, vertex)) {
    const centre: Point = [
      (triangle[0][0] + triangle[1][0] + triangle[2][0]) / 3,
      (triangle[0][1] + triangle[1][1] + triangle[2][1]) / 3,
    ];
    const chance = { corner: random(), tint: random(), blank: random() };
    if (centre[0] < -side / 2 || centre[0] > width + side / 2) continue;
    const flower = flowers.find(({ at }) => triangle.some((corner) => distance(corner, at) < 1));
    if (!flower) {
      if (chance.blank < blank) continue;
      const centreOfClearing = clearing && [clearing.column * side, clearing.row * rowHeight];
      if (clearing && distance(centre, centreOfClearing as Point) < clearing.radius * side) continue;
    }
    const tip = flower?.at ?? quietTip(triangle, chance.corner, side, rowHeight);
    const angle = Math.round((Math.atan2(centre[1] - tip[1], centre[0] - tip[0]) * 180) / Math.PI);
    const tint = flower ? tintOf(flower.tint, angle) : pick(plan.quiet, chance.tint);
    petals.set(tint, (petals.get(tint) ?? '') + petalPath(tip, angle, (side * Math.sqrt(3)) / 6));
  }
  return { width, height, grout: groutPath(side, columns, rows), petals: [...petals] };
}

/**
 * Draws the mural as SVG path elements.
 * @param classes the CSS class of each tint, and `grout` for the lines between the tiles
 */
export function paintMural(plan: MuralPlan, classes: Record<string, string | undefined>): string {
  const { grout, petals } = drawMural(plan);
  return [['grout', grout], ...petals]
    .map(([tint = '', path]) => `<path class="${classes[tint]}" d="${path}"/>`)
    .join('');
}

function* trianglesOf(columns: number, rows: number, vertex: (column: number, row: number) => Point) {
  for (let row = 0; row < rows; row++) {
    for (let column = -1; column <= columns; column++) {
      const odd = row % 2;
      const below = vertex(column + odd, row + 1);
      yield [vertex(column, row), vertex(column + 1, row), below] as const;
      yield [below, vertex(column + 1 + odd, row + 1), vertex(column + 1, row)] as const;
    }
  }
}

/**
 * Chooses the corner for the tip of a petal that belongs to no planned flower. Exactly one corner of each
 * triangle is a point of a coarser grid. Most tips are at this corner, so that the six petals around it form
 * a flower. The other tips are at another corner, for variety.
 */
function quietTip(triangle: readonly Point[], chance: number, side: number, rowHeight: number): Point {
  const isHeart = ([x, y]: Point) => {
    const row = Math.round(y / rowHeight);
    const column = Math.round(x / side - (Math.abs(row % 2) === 1 ? 0.5 : 0));
    const skewed = column - (row - Math.abs(row % 2)) / 2;
    return (((skewed - row) % 3) + 3) % 3 === 1;
  };
  const stray = chance < 0.3;
  const candidates = triangle.filter((corner) => isHeart(corner) !== stray);
  return candidates[Math.floor((chance / 0.3) * candidates.length) % candidates.length] ?? [0, 0];
}

function tintOf(tint: Flower['tint'], angle: number): Tint {
  if (typeof tint === 'string') return tint;
  const place = flowerAngles.findIndex((candidate) => (((candidate - angle) % 360) + 360) % 360 < 1);
  return tint[Math.max(place, 0)] ?? tint[0];
}

function pick(shares: MuralPlan['quiet'], chance: number): Tint {
  let left = chance * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [tint, share] of shares) {
    left -= share;
    if (left < 0) return tint;
  }
  return 'tone';
}

function groutPath(side: number, columns: number, rows: number) {
  const rowHeight = (side * Math.sqrt(3)) / 2;
  const height = Math.round(rows * rowHeight);
  const run = Math.round((rows * side) / 2);
  let path = '';
  for (let row = 0; row <= rows; row++) path += `M0 ${Math.round(row * rowHeight)}h${columns * side}`;
  for (let k = -rows; k <= columns + rows; k++)
    path += `M${k * side} 0l${run} ${height}M${k * side} 0l${-run} ${height}`;
  return path;
}

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Creates a random sequence that is the same on the server and in every browser. */
function sequence(seed: number) {
  let state = seed >>> 0;
  return () => {
    state += 0x6d2b79f5;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
