// expect: syntax
<!doctype html><script>alert(1)</script>
