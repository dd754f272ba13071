import { useEffect, useRef, useState } from 'react';
import type { Visit } from '../../api/client.js';
import { countText } from '../../format/count.js';

const INTERVAL_MS = 20_000;

/** Announces the number of new visits to screen readers, instead of each new row. */
export function LiveSummary({ visits, isHeld }: { visits: readonly Visit[]; isHeld: boolean }) {
  const [text, setText] = useState('');
  const seen = useRef<string | undefined>(undefined);
  const present = useRef({ visits, isHeld });
  useEffect(() => {
    present.current = { visits, isHeld };
  });
  useEffect(() => {
    const timer = setInterval(() => {
      const { visits: now, isHeld: isStill } = present.current;
      const before = now.findIndex(({ id }) => id === seen.current);
      const count = before === -1 ? now.length : before;
      seen.current = now[0]?.id;
      if (!isStill && count > 0) setText(`${countText(count)} new ${count === 1 ? 'visit' : 'visits'}`);
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="unseen" aria-live="polite">
      {text}
    </div>
  );
}
