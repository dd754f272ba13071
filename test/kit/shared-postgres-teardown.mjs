export default async function stopServers() {
  await globalThis.stopSharedServers?.();
}
