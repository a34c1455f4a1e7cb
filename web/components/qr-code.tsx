import { useEffect, useState } from 'react';
import { loadChunk } from '#client/load-chunk.ts';
import styles from './qr-code.module.css';

/** The width of the empty border, in modules (squares). Cameras need the border to find the code. */
const margin = 4;

type Drawn = { size: number; path: string };

async function draw(text: string): Promise<Drawn> {
  const { encode } = await loadChunk('uqr', () => import('uqr'));
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : [])),
  );
  return { size: size + 2 * margin, path: dark.join('') };
}

/**
 * Draws a QR code in the browser, so that no server gets the encoded text. If the encoder fails, the box is
 * empty.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawn, setDrawn] = useState<Drawn>();

  useEffect(() => {
    let gone = false;
    draw(text).then(
      (next) => {
        if (!gone) setDrawn(next);
      },
      // Ignore the error: the page also shows the text itself.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [text]);

  return (
    <div className={styles.code}>
      {drawn && (
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          shapeRendering="crispEdges"
        >
          <path d={drawn.path} />
        </svg>
      )}
    </div>
  );
}
