export default async function removeFolder() {
  await globalThis.removeSharedFolder?.();
}
