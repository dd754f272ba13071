import { ADDRESS_REASONS, CLIENT_ADDRESS_REASONS, NO_METHOD, SIGNATURE_REASONS } from '#libs/reasons';

const REASONS: Record<string, string> = { ...ADDRESS_REASONS, ...SIGNATURE_REASONS, no_method: NO_METHOD };

const OK: Record<string, string> = {
  http_message_signature: 'The signature holds.',
  ip_range: "The address is in one of the operator's ranges.",
  reverse_dns: "The address has a host name of the operator's, which leads back to it.",
};

/** @param reason of a later release: as it is. */
export function reasonText(reason: string, method?: string): string {
  if (reason === 'ok') return OK[method ?? ''] ?? 'It holds.';
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** Of where the client's address came from. */
export function addressReasonText(reason: string): string {
  const texts: Record<string, string> = CLIENT_ADDRESS_REASONS;
  const text = texts[reason];
  return text === undefined ? reason.replaceAll('_', ' ') : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
