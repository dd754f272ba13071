import { RelativeTime } from './relative-time.js';

/** As "last used 2 hours ago", or "never used". @param verb what was done with it. */
export const LastUsed = ({ time, verb = 'used' }: { time: string | null; verb?: string }) =>
  time === null ? (
    `never ${verb}`
  ) : (
    <>
      last {verb} <RelativeTime time={time} />
    </>
  );
