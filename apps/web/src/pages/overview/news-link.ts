import type { LinkProps } from '@tanstack/react-router';

/** Link from a news item to what it describes. */
export type NewsLink = Pick<LinkProps, 'to' | 'params' | 'search'>;
