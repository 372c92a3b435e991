// expect: thrown
export default async (params, ctx) => {
  const error = new Error('x');
  error.stack = 'at tool.js:99999999999:1';
  throw error;
};
