import { type KeyboardEvent, useRef, useState } from 'react';
import type { AboutTexts } from '#contract/site/about.ts';
import { flowerAngles, petalPath } from '#web/components/art/petal.ts';
import { classNames } from '#web/components/class-names.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import styles from './processes.module.css';

/** The distance from the centre to the inner tip of each petal. The goal is written between these tips. */
const opening = 0.5;
/** The outlines of the six petals, clockwise from the top. */
const petals = flowerAngles.map((angle) => {
  const radians = (angle * Math.PI) / 180;
  return petalPath([Math.cos(radians) * opening, Math.sin(radians) * opening], angle);
});

/**
 * The hexaflex: six processes as six tabs on six petals, each with an explanation and a one-minute exercise.
 * Without JavaScript, the page shows all six explanations, one below the other.
 */
export function Processes({ goal, processes }: { goal: string; processes: AboutTexts['processes'] }) {
  const [selected, setSelected] = useState(0);
  const tabs = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const next = neighbour(event.key, selected, processes.length);
    if (next === undefined) return;
    event.preventDefault();
    setSelected(next);
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <div className={styles.processes}>
      <div className={styles.figure}>
        <div className={styles.flower}>
          <svg viewBox="-3.48 -3.48 6.96 6.96" aria-hidden="true" focusable="false">
            {petals.map((path, place) => (
              <path
                key={path}
                d={path}
                className={classNames(styles.petal, place === selected && styles.selected)}
                onPointerDown={() => setSelected(place)}
              />
            ))}
          </svg>
          <p className={styles.goal}>{goal}</p>
          <div
            ref={tabs}
            className={styles.tabs}
            role="tablist"
            aria-label="Os seis processos"
            onKeyDown={onKeyDown}
          >
            {processes.map(({ id, label }, place) => (
              <button
                key={id}
                type="button"
                role="tab"
                id={`petala-${id}`}
                aria-controls={`processo-${id}`}
                aria-selected={place === selected}
                tabIndex={place === selected ? 0 : -1}
                onClick={() => setSelected(place)}
              >
                <span>{label}</span>
              </button>
            ))}
          </div>
        </div>
      </div>
      <div className={styles.panels}>
        {processes.map((process, place) => (
          <section
            key={process.id}
            className={styles.panel}
            role="tabpanel"
            id={`processo-${process.id}`}
            aria-labelledby={`petala-${process.id}`}
            hidden={place !== selected}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a tab panel without controls must be focusable.
            tabIndex={0}
          >
            <h3>{process.name}</h3>
            <Paragraphs texts={process.text} />
            <p className={styles.opposite}>
              <strong>O contrário:</strong> <span>{`${process.opposite}.`}</span>
            </p>
            <div className={styles.exercise}>
              <h4>Experimente por um minuto</h4>
              <ol>
                {process.exercise.map((step, index) => (
                  <li key={index}>{step}</li>
                ))}
              </ol>
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function neighbour(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (place + 1) % count;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (place + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}
