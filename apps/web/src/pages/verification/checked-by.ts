/** By what it was checked: every reason that names neither address nor host name is of a signature. */
export function checkedBy(reason: string): string {
  if (/host_name|^dns_/.test(reason)) return 'By the host name of its address';
  if (/^(no_client_address|address_|list_too_old|visit_too_old)/.test(reason)) return 'By its address';
  return reason === 'no_method' ? '' : 'By its signature';
}
