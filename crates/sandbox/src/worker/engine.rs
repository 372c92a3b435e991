//! QuickJS with our wrapper in it, made once before the first fork: a child starts with a copy that nobody has used.

use super::{memory::Counted, natives::Natives};
use rquickjs::{
    CatchResultExt, Context, Function, Object, Persistent, Runtime,
    context::{EvalOptions, intrinsic},
};
use std::rc::Rc;

/// Far below the stack that the process has.
const STACK_BYTES: usize = 1 << 20;

/// Everything of the language; no `performance`, whose clock would tell since when the zygote runs.
type Language = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
    intrinsic::DOMException,
);

pub(super) struct Engine {
    pub context: Context,
    pub wrapper: Persistent<Object<'static>>,
    pub natives: Rc<Natives>,
}

impl Engine {
    pub(super) fn prepare() -> Result<Self, String> {
        let natives = Rc::new(Natives::default());
        let memory = Counted(Rc::clone(&natives.memory));
        let runtime = Runtime::new_with_alloc(memory).map_err(|e| e.to_string())?;
        runtime.set_max_stack_size(STACK_BYTES);
        let watch = Rc::clone(&natives);
        runtime.set_interrupt_handler(Some(Box::new(move || watch.is_over())));
        let context = Context::custom::<Language>(&runtime).map_err(|e| e.to_string())?;
        let wrapper = context.with(|ctx| wrap(&ctx, &natives).catch(&ctx).map_err(|e| e.to_string()))?;
        Ok(Self { context, wrapper, natives })
    }
}

fn wrap(ctx: &rquickjs::Ctx<'_>, natives: &Rc<Natives>) -> rquickjs::Result<Persistent<Object<'static>>> {
    // The C library reads the time zone when it is first asked for it; later there are no files.
    ctx.eval::<i32, _>("new Date().getTimezoneOffset()")?;
    let mut options = EvalOptions::default();
    options.filename = Some("wrapper.js".to_owned());
    let wrapper: Function<'_> = ctx.eval_with_options(include_str!("wrapper.js"), options)?;
    let object: Object<'_> = wrapper.call((natives.object(ctx)?,))?;
    Ok(Persistent::save(ctx, object))
}
