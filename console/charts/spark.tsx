const [WIDTH, HEIGHT] = [72, 20];

/** A line of numbers beside their sum. It is decoration: the page says the same in words or in a table. */
export function Spark({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const most = Math.max(1, ...values);
  const points = values
    .map((value, index) => `${(WIDTH * index) / (values.length - 1)},${HEIGHT - 1 - (HEIGHT - 2) * (value / most)}`)
    .join(" ");
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polygon points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
      <polyline points={points} />
    </svg>
  );
}
