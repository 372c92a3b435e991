// expect: ok
JSON.stringify = Reflect.apply = Object.freeze = () => 'mine now';
Object.prototype.executionId = 'mine now';
export default (params, ctx) => (Object.isFrozen(ctx) && ctx.executionId === 'e-1' ? 'contained' : 'changed');
