import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Move } from './move.ts';

/** If the pointer moves up or down by less than this during a press, the press is a click. */
const startsAfterPx = 5;
/** The page scrolls when the pointer is this close to the edge of the window. */
const edgePx = 72;
const scrollPxPerFrame = 14;

export type Drag = { id: string; drop: Omit<Move, 'id'> | undefined };

/**
 * Drags a row of the list by its handle, with mouse, finger or pen. The order changes only on drop. Until
 * then the row follows the pointer, and `drag.drop` gives the drop position.
 */
export function useDrag(box: RefObject<HTMLElement | null>, onDrop: (move: Move) => void) {
  const [drag, setDrag] = useState<Drag>();
  /** Ends the current drag; also called when the list unmounts. */
  const stop = useRef<() => void>(undefined);
  const ended = useRef(false);
  useEffect(() => () => stop.current?.(), []);

  function start(event: ReactPointerEvent<HTMLElement>, id: string) {
    ended.current = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const handle = event.currentTarget;
    const line = handle.closest<HTMLElement>('[data-row]');
    if (!line) return;
    handle.setPointerCapture(event.pointerId);
    const from = { y: event.clientY, scroll: window.scrollY };
    let y = from.y;
    let dragging = false;
    let drop: Drag['drop'];
    let frame = 0;

    function move(next: PointerEvent) {
      y = next.clientY;
      if (!dragging && Math.abs(y - from.y) < startsAfterPx) return;
      if (!dragging) frame = requestAnimationFrame(follow);
      dragging = true;
    }
    function follow() {
      if (y < edgePx) window.scrollBy(0, -scrollPxPerFrame);
      else if (y > window.innerHeight - edgePx) window.scrollBy(0, scrollPxPerFrame);
      line?.style.setProperty('translate', `0 ${y - from.y + window.scrollY - from.scroll}px`);
      drop = dropAt(box.current, id, line?.dataset.group, y);
      setDrag((before) => (sameDrop(before, id, drop) ? before : { id, drop }));
      frame = requestAnimationFrame(follow);
    }
    function end() {
      if (dragging && drop) onDrop({ id, ...drop });
      cancel();
    }
    function cancel() {
      // The browser fires a click when a drag ends. Remember the drag, so that this click is ignored.
      ended.current = dragging;
      stop.current?.();
    }
    function key(pressed: KeyboardEvent) {
      if (pressed.key === 'Escape') cancel();
    }

    stop.current?.();
    stop.current = () => {
      stop.current = undefined;
      cancelAnimationFrame(frame);
      line.style.removeProperty('translate');
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', key);
      setDrag(undefined);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', key);
  }

  return {
    drag,
    start,
    /** True if the current click comes from the end of a drag. */
    wasDrag() {
      const was = ended.current;
      ended.current = false;
      return was;
    },
  };
}

/** Finds the drop position at the height `y` in the window, within the group of the dragged row. */
function dropAt(box: HTMLElement | null, id: string, group: string | undefined, y: number): Drag['drop'] {
  const lines = [...(box?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter(
    (line) => line.dataset.group === group && line.dataset.row !== id,
  );
  for (const line of lines) {
    const { top, height } = line.getBoundingClientRect();
    if (y < top + height / 2) return { beside: line.dataset.row ?? '', side: 'before' };
  }
  const last = lines.at(-1)?.dataset.row;
  return last === undefined ? undefined : { beside: last, side: 'after' };
}

const sameDrop = (drag: Drag | undefined, id: string, drop: Drag['drop']) =>
  drag?.id === id && drag.drop?.beside === drop?.beside && drag.drop?.side === drop?.side;
