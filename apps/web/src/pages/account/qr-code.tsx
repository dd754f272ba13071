import { encodeQR } from 'qr';

/** Quiet zone width in modules, as required by ISO/IEC 18004. */
const MARGIN_MODULES = 4;

/** QR code that is dark on light in both color schemes, because some apps can't scan inverted codes. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN_MODULES, ecc: 'medium' });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`} width={200} height={200}>
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
