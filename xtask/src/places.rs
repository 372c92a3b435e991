//! Where things are. The site stays in `target/` of the workspace because the server embeds it from there;
//! cargo's own output may be anywhere.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Result;

/// The folder of the workspace.
pub fn workspace() -> Result<PathBuf> {
    let package = env::var_os("CARGO_MANIFEST_DIR").ok_or("start it as `cargo xtask`")?;
    let workspace = Path::new(&package).parent().ok_or("xtask is not inside a workspace")?;
    Ok(workspace.to_path_buf())
}

/// The folder that the server embeds.
pub fn site() -> Result<PathBuf> {
    Ok(workspace()?.join("target/site"))
}

/// Cargo's target folder: this program was built into `<target>/<profile>/xtask`.
pub fn cargo_target() -> Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("xtask is not inside a target folder")?;
    Ok(target.to_path_buf())
}

/// The cargo that started this program, in the workspace's folder.
pub fn cargo() -> Result<Command> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace()?);
    Ok(cargo)
}

/// Runs a command to its end; anything but success is an error that names it.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}").into()) }
}
