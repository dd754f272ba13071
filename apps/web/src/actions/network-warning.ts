import { formatEstimate } from '../format/count.js';

interface NetworkVisits {
  /** Visits from the network. */
  all: number;
  /** Visits without any sign of automation. */
  people: number;
  /** Visits by the user agent to block, or null if all visits are to be blocked. */
  own: number | null;
  isEstimated: boolean;
}

/** Describes how many other visits and people a rule for a network would have applied to. */
export function describeNetworkVisits({ all, people, own, isEstimated }: NetworkVisits): string {
  const format = (count: number): string => formatEstimate(count, isEstimated);
  const others = own === null ? null : Math.max(0, all - own);
  const made =
    others === null
      ? `This network made ${format(all)} ${all === 1 ? 'visit' : 'visits'} in this period`
      : others === 0
        ? 'This network made no other visits in this period'
        : `This also applies to ${format(others)} other ${others === 1 ? 'visit' : 'visits'} from this network in this period`;
  if (others === 0) return `${made}.`;
  if (people === 0) return `${made}. None look human.`;
  return `${made}. ${format(people)} of them ${people === 1 ? 'shows' : 'show'} no signs of automation and may be by people.`;
}
