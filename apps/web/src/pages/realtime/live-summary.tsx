import { useEffect, useRef, useState } from 'react';
import type { Visit } from '../../api/client.js';
import { formatCount } from '../../format/count.js';

const ANNOUNCEMENT_INTERVAL_MS = 20_000;

/** Announces the number of new visits to screen readers instead of announcing each row. */
export function LiveSummary({ visits, isHeld }: { visits: readonly Visit[]; isHeld: boolean }) {
  const [text, setText] = useState('');
  const lastSeenId = useRef<string | undefined>(undefined);
  const latest = useRef({ visits, isHeld });
  useEffect(() => {
    latest.current = { visits, isHeld };
  });
  useEffect(() => {
    const timer = setInterval(() => {
      const { visits: now, isHeld: isStillHeld } = latest.current;
      const previousIndex = now.findIndex(({ id }) => id === lastSeenId.current);
      const count = previousIndex === -1 ? now.length : previousIndex;
      lastSeenId.current = now[0]?.id;
      if (!isStillHeld && count > 0) setText(`${formatCount(count)} new ${count === 1 ? 'visit' : 'visits'}`);
    }, ANNOUNCEMENT_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="unseen" aria-live="polite">
      {text}
    </div>
  );
}
