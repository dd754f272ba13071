import type { Page } from '@playwright/test';

/** Difference of a color channel, from 0 to 255, up to which pixels count as equal. Allows for antialiasing. */
const TOLERANCE = 24;

/**
 * Compares two PNG images pixel by pixel. Runs in a browser, which can decode and encode them.
 *
 * @returns The share of different pixels, from 0 to 1, and an image with these pixels in red.
 */
export async function compareImages(
  opened: Page,
  before: Buffer,
  after: Buffer,
): Promise<{ share: number; difference: Buffer }> {
  const page = await opened.context().newPage();
  try {
    const sources = [before, after].map((image) => `data:image/png;base64,${image.toString('base64')}`);
    const { share, url } = await page.evaluate<{ share: number; url: string }>(`(async () => {
      const images = await Promise.all(${JSON.stringify(sources)}.map(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return image;
      }));
      const width = Math.max(...images.map((image) => image.width));
      const height = Math.max(...images.map((image) => image.height));
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const [before, after] = images.map((image) => {
        context.clearRect(0, 0, width, height);
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, width, height);
      });
      let count = 0;
      for (let offset = 0; offset < after.data.length; offset += 4) {
        const isDifferent = [0, 1, 2, 3].some(
          (channel) => Math.abs(before.data[offset + channel] - after.data[offset + channel]) > ${TOLERANCE},
        );
        if (isDifferent) count += 1;
        after.data.set(isDifferent ? [255, 0, 0, 255] : [...after.data.slice(offset, offset + 3), 60], offset);
      }
      context.putImageData(after, 0, 0);
      return { share: count / (width * height), url: canvas.toDataURL() };
    })()`);
    return { share, difference: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') };
  } finally {
    await page.close();
  }
}
