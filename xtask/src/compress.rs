//! The compressed twins of a file, made once so that the server never compresses while it serves.

use std::{fs, io::Write, path::Path};

use crate::Result;

const BROTLI_QUALITY: u32 = 11;
const BROTLI_WINDOW: u32 = 22;
const BUFFER: usize = 64 * 1024;

/// Writes `<file>.br` and `<file>.gz`, unless both are there: names that carry a hash do not change content.
pub fn write_twins(file: &Path) -> Result<()> {
    let (brotli, gzip) = (twin(file, "br"), twin(file, "gz"));
    if brotli.exists() && gzip.exists() {
        return Ok(());
    }
    let content = fs::read(file)?;
    fs::write(brotli, to_brotli(&content)?)?;
    fs::write(gzip, to_gzip(&content)?)?;
    Ok(())
}

/// `alcada.css` → `alcada.css.br`.
pub fn twin(file: &Path, encoding: &str) -> std::path::PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(encoding);
    name.into()
}

fn to_brotli(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
    writer.write_all(content)?;
    Ok(writer.into_inner())
}

fn to_gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?)
}
