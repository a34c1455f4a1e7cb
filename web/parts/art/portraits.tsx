import { useId } from 'react';
import { flowerPetals, petalPath, rosettePath } from './petal.ts';
import styles from './portraits.module.css';

/** The doctor, facing us, in the hexaflex's silhouette: half light, half shade. */
export function PortraitFront({ className }: { className?: string | undefined }) {
  const clip = useId();
  return (
    <svg
      className={className}
      viewBox="0 0 400 434"
      role="img"
      aria-label="Ilustração: retrato da médica em formas planas"
    >
      <clipPath id={clip}>
        <path d={rosettePath(400, 434)} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <rect width="400" height="434" className={styles.ground} />
        <circle cx="290" cy="150" r="124" className={styles.sun} />
        <path className={styles.leaf} d={petalPath([66, 470], -112, 70)} />
        <path
          className={styles.hair}
          d="M204 66c-66 0-104 52-102 122 1 38-14 62-12 92 2 32 26 52 58 52h112c34 0 58-22 58-56 0-30-14-50-12-88C310 118 270 66 204 66z"
        />
        <path className={styles.shade} d="M172 240h64v70c0 30-64 30-64 0z" />
        <path
          className={styles.coat}
          d="M22 434c2-72 54-112 148-122 14 18 54 18 68 0 94 10 146 50 148 122z"
        />
        <path
          className={styles.shirt}
          d="M166 312.5c8-1 5-1 6-1.5 6 22 58 22 64 0l6 1.5c-2 38-18 72-38 98-20-26-36-60-38-98z"
        />
        <path className={styles.shade} d="M172 290h64v22c-2 26-16 46-32 60-16-14-30-34-32-60z" />
        <path
          className={styles.skin}
          d="M204 106c40 0 64 34 62 82-2 54-30 92-62 92s-60-38-62-92c-2-48 22-82 62-82z"
        />
        <path
          className={styles.shade}
          d="M204 106c2 30-10 48-6 68 3 16-12 32-14 44-1 8 14 8 17 14 4 10-6 20-1 30 2 5 4 10 4 18 32 0 60-38 62-92 2-48-22-82-62-82z"
        />
        <path
          className={styles.hair}
          d="M232 82c-46-8-104 24-104 112 0 6 2 14 8 26 4-44 26-78 74-96 32 8 54 32 60 94 8-14 12-26 12-38 0-50-18-92-50-98z"
        />
        <path
          className={styles.lapel}
          d="M166 312c-12 2-24 4-34 8l22 38-16 12 66 64 66-64-16-12 22-38c-10-4-22-6-34-8-4 40-20 74-38 98-18-24-34-58-38-98z"
        />
        <path className={styles.shirt} transform="translate(262 384) scale(5)" d={flowerPetals.join('')} />
      </g>
    </svg>
  );
}

/** The doctor in profile, listening, beside a plant. */
export function PortraitSide({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="0 0 400 500"
      role="img"
      aria-label="Ilustração: a médica de perfil, escutando, ao lado de uma planta"
    >
      <rect width="400" height="500" className={styles.ground} />
      <path className={styles.sun} d="M0 0h400v226c-70-40-124-36-196 8S56 272 0 236z" />
      <path className={styles.leafFar} d={petalPath([44, 540], -112, 74)} />
      <path className={styles.leaf} d={petalPath([56, 560], -68, 84)} />
      <circle className={styles.hair} cx="316" cy="150" r="42" />
      <path className={styles.shade} d="M214 250c8 40 6 62-12 88 20 60 96 66 112 12-18-38-22-78-16-124z" />
      <path className={styles.coat} d="M92 500c4-84 42-142 106-162 30 40 82 46 118 12 50 22 80 70 84 150z" />
      <path
        className={styles.lapel}
        d="M198 338c-13 5-24 11-35 18 14 52 52 96 106 144h44c-64-52-102-104-115-162z"
      />
      <path
        className={styles.skin}
        d="M238 92c-40 2-62 32-64 62-1 14 2 20-2 30-4 9-16 22-17 29 0 6 8 6 12 8 4 3-3 9-3 13 0 3 4 4 4 7 0 4-4 6-3 10 1 5 7 5 8 9 2 10-4 20 6 26 14 8 34 2 50-6 40-18 74-50 80-104 6-52-26-86-71-84z"
      />
      <path
        className={styles.shade}
        d="M262 196c-10-2-18 6-16 18 2 14 12 22 20 18-22 28-52 40-85 41 1 6 0 10 6 13 14 8 34 2 50-6 40-18 74-50 80-104z"
      />
      <path
        className={styles.hair}
        d="M236 74c-34 0-60 22-64 66 20 4 44-4 62-22 0 30 8 56 24 78 12-8 22 2 18 18-2 10-6 16-10 20 8 8 16 12 26 14 32-26 50-58 48-98-2-46-44-76-104-76z"
      />
      <circle className={styles.clay} cx="266" cy="243" r="7" />
    </svg>
  );
}
