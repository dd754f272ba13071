import { useEffect } from 'react';

/** Sets the title of the document, for browser tabs and screen readers. */
export function usePageTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Agent Traffic'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
