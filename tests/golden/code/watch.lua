local hours = 4

function watch(name)
  return name .. hours
end
