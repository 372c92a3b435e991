export default (params, ctx) => {
  const items = [];
  for (let n = 1; n <= 20; n += 1) {
    items.push({ sku: `P${n}`, price: (n * 137) % 1000, amount: (n % 4) + 1 });
  }
  const total = items.reduce((sum, item) => sum + item.price * item.amount, 0);
  const dearest = items.toSorted((a, b) => b.price - a.price).slice(0, 3);
  const title = String(params.title).trim().toUpperCase();
  return { title, total, dearest, count: items.length };
};
