import { useRef, useState, type PointerEvent } from 'react';

export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Returns the index of the item at a vertical position. Positions above and below the list belong to its ends. */
export function findIndexAt(items: readonly { top: number; bottom: number }[], y: number): number {
  const index = items.findIndex(({ bottom }) => y < bottom);
  return index === -1 ? items.length - 1 : index;
}

interface Drag {
  /** Index of the dragged item, or null. */
  dragged: number | null;
  /** Properties of the handle of an item. */
  handle: (index: number) => {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
}

/**
 * Reorders the items of a list while the pointer drags the handle of one of them. Works with a mouse, a pen and touch.
 *
 * @param list The list element, whose children are the items.
 */
export function useDrag(list: { current: HTMLElement | null }, onMove: (from: number, to: number) => void): Drag {
  const [dragged, setDragged] = useState<number | null>(null);
  // Events can arrive before the next render.
  const current = useRef<number | null>(null);
  const set = (index: number | null): void => {
    current.current = index;
    setDragged(index);
  };
  return {
    dragged,
    handle: (index) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        set(index);
      },
      onPointerMove: ({ clientY }) => {
        const from = current.current;
        if (from === null || list.current === null) return;
        const to = findIndexAt(
          [...list.current.children].map((item) => item.getBoundingClientRect()),
          clientY,
        );
        if (to === from) return;
        onMove(from, to);
        set(to);
      },
      onPointerUp: () => set(null),
      onPointerCancel: () => set(null),
    }),
  };
}
