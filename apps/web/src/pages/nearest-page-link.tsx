import { useLocation } from '@tanstack/react-router';
import { TextLink } from '../ui/text-link.js';
import { findNearestPage } from './nearest-page.js';

/** Links to the page whose address was probably mistyped. */
export default function NearestPageLink({ projectId }: { projectId: string | undefined }) {
  const page = findNearestPage(useLocation().pathname, projectId);
  return (
    page && (
      <>
        Did you mean <TextLink to={page.path}>{page.label}</TextLink>?
      </>
    )
  );
}
