import { RelativeTime } from './relative-time.js';

/** Shows "last used 2 hours ago" or "never used". @param verb Past participle to use instead of "used". */
export const LastUsed = ({ time, verb = 'used' }: { time: string | null; verb?: string }) =>
  time === null ? (
    `never ${verb}`
  ) : (
    <>
      last {verb} <RelativeTime time={time} />
    </>
  );
