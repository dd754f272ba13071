import { useEffect } from 'react';

export function usePageTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Agent Traffic'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
