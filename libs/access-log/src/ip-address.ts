const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
/** What the host of a URL can be made of, so that nothing but an address gets there. */
const IPV6 = /^[\da-f:.]{2,45}$/i;
const ZONE = /^[\w.:-]+$/;

/** Whether the text is an IP address, as `isIP` of Node.js has it, which browsers lack. */
export function isIpAddress(text: string): boolean {
  if (!text.includes(':')) return IPV4.test(text);
  const zone = text.indexOf('%');
  if (zone !== -1 && !ZONE.test(text.slice(zone + 1))) return false;
  const address = zone === -1 ? text : text.slice(0, zone);
  return IPV6.test(address) && URL.canParse(`http://[${address}]/`);
}
