import { createContext, useContext, useLayoutEffect, useState } from 'react';

/** Receives the element to render controls in, or null if it's no longer available. */
type OnSlot = (slot: HTMLElement | null) => void;

interface CardHeaderSlot {
  /** Reserves the slot unless it's taken. @returns a function that releases it */
  claim: (onSlot: OnSlot) => () => void;
}

/** Space for controls in the header of the surrounding card. Null in places without one, such as drawers. */
const CardHeaderContext = createContext<CardHeaderSlot | null>(null);
export const CardHeader = CardHeaderContext.Provider;

export function createCardHeaderSlot(element: HTMLElement): CardHeaderSlot {
  let isTaken = false;
  return {
    claim: (onSlot) => {
      if (isTaken) return () => undefined;
      isTaken = true;
      onSlot(element);
      return () => {
        isTaken = false;
        onSlot(null);
      };
    },
  };
}

/** Returns the element in the surrounding card's header to render controls in, or null if there is none. */
export function useCardHeaderSlot(isNeeded: boolean): HTMLElement | null {
  const header = useContext(CardHeaderContext);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => (isNeeded ? header?.claim(setSlot) : undefined), [header, isNeeded]);
  return slot;
}
