// expect: thrown
export default async (params, ctx) => {
  'use strict';
  ctx.secrets.API_KEY = 'mine now';
};
