import type { IdentificationReason } from '#libs/agents';
import { ADDRESS_REASONS, NO_METHOD, SIGNATURE_REASONS } from '#libs/reasons';

const SENTENCES: Record<IdentificationReason, string> = {
  ...ADDRESS_REASONS,
  ...SIGNATURE_REASONS,
  no_method: NO_METHOD,
};

/** A sentence for whatever reason an identification has; a newer instance may know reasons that aren't known here. */
export function reasonText(reason: string): string {
  const all: Record<string, string> = SENTENCES;
  return all[reason] ?? `Reason: ${reason}.`;
}
