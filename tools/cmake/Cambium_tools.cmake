# The component `tools` of the package: the programs, and models in a build.
include("${CMAKE_CURRENT_LIST_DIR}/CambiumToolsTargets.cmake")

# cambium_add_model(name model.mlir [OPTIONS --mcpu=... ...]): compiles the model
# to name.so in the current binary folder, as a part of the target `name`.
function(cambium_add_model name model)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cambium_add_model(${name}): expected OPTIONS after the "
      "model, but got '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET Cambium::cambium-compile)
    message(FATAL_ERROR "cambium_add_model(${name}): expected cambium-compile in "
      "${CMAKE_CURRENT_LIST_DIR}, but this Cambium was built without its compiler")
  endif()
  get_filename_component(model "${model}" ABSOLUTE)
  set(module ${CMAKE_CURRENT_BINARY_DIR}/${name}.so)
  add_custom_command(OUTPUT ${module}
    COMMAND Cambium::cambium-compile ${model} -o ${module} ${ARG_OPTIONS}
    DEPENDS ${model} Cambium::cambium-compile VERBATIM
    COMMENT "Compiling model ${name}")
  add_custom_target(${name} ALL DEPENDS ${module})
  set_target_properties(${name} PROPERTIES CAMBIUM_MODULE ${module})
endfunction()
