export default async function stopInstance() {
  await globalThis.stopSharedInstance?.();
}
