// expect: timeout
const spin = () => { for (;;); };
export default (params = spin(), ctx) => spin();
