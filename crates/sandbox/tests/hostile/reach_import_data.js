// expect: thrown
export default async () => import('data:text/javascript,export default 1');
