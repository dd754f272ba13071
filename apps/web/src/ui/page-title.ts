import { useEffect } from 'react';

/** Names the page in the tab and for screen readers. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Agent Traffic'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
