// expect: thrown
export default async (params, ctx) => {
  'use strict';
  ctx.executionId = 'mine now';
};
